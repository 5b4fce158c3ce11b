import { html } from './html.js';

it('escapes user input in text and in attributes', () => {
  const name = `"><script>alert('1 & 2')</script>`;
  expect(html`<p title="${name}">${name}</p>`.text).not.toMatch(/<script|"">|'1/);
  expect(html`${name}`.text).toBe('&#34;&#62;&#60;script&#62;alert(&#39;1 &#38; 2&#39;)&#60;/script&#62;');
});

it('nests markup and lists of markup, and inserts nothing for null, undefined and false', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}${null}${undefined}${false}</ul>${0}`.text).toBe('<ul><li>a</li><li>&#60;b&#62;</li></ul>0');
});
