import type { CommunityPost } from '../../../../contracts/http/community.js';
import type { PostId } from '../../../../contracts/ids.js';
import { postStream } from '../../../../contracts/streams.js';
import { nextMessage, type Person, readAfter, withAliceAndBob } from '../../../test/whole-application.js';

const POSTS = '/api/community/posts';

const { application, admin, alice, bob } = withAliceAndBob();
const node = application.anotherNodeForTests();

const publish = ({ id, visitor }: Person, message: unknown) =>
  visitor.post<{ id: PostId }>(POSTS, { gamerId: id, message });

it('lets anyone read the feed by pages, newest first', async () => {
  const first = await publish(alice, '  Hello, everyone!  ');
  expect(first.status).toBe(201);
  const message = 'x'.repeat(500);
  const second = await publish(bob, message);
  const feed = await readAfter<CommunityPost[]>(application.visitor(), second, POSTS);
  expect(feed).toEqual([
    { id: second.body.id, gamerTag: 'bob', message, createdAt: expect.any(Number) },
    { id: first.body.id, gamerTag: 'alice', message: 'Hello, everyone!', createdAt: expect.any(Number) },
  ]);
  expect(await readAfter(application.visitor(), second, `${POSTS}?page=2&pageSize=1`)).toEqual([feed[1]]);
});

it('requires a message of 1 to 500 characters', async () => {
  const empty = ['', ' \n ', undefined, 7, null, ['Hi']].map((message) => [message, 'Please enter a message to post']);
  for (const [message, error] of [...empty, ['x'.repeat(501), 'Message must be 500 characters or less']])
    expect(await publish(bob, message)).toMatchObject({ status: 400, body: { error } });
  expect((await bob.visitor.get(POSTS)).body).toHaveLength(2);
});

it('lets the admin hide a post, once, also without a reason', async () => {
  const { body: post } = await publish(bob, 'Buy my watches');
  const path = `/api/admin/community/posts/${post.id}`;
  expect((await admin.visitor.delete('/api/admin/community/posts/nothing')).status).toBe(404);
  const hidden = await admin.visitor.send('DELETE', path, { reason: ' spam ' });
  expect(hidden.status).toBe(200);
  const feed = await readAfter<CommunityPost[]>(bob.visitor, hidden, POSTS);
  expect(feed.map(({ id }) => id)).not.toContain(post.id);
  const again = await admin.visitor.delete(path);
  expect(again.status).toBe(200);
  expect(again.headers.get('x-position')).toBe(hidden.headers.get('x-position'));
  const [, { event, metadata } = {}, ...more] = await application.eventsOf(postStream(post.id));
  expect(event).toEqual({ type: 'PostHidden', data: { postId: post.id, reason: 'spam' } });
  expect([metadata?.actor.id, more]).toEqual([admin.id, []]);
  const { body: other } = await publish(bob, 'Hello again');
  await admin.visitor.send('DELETE', `/api/admin/community/posts/${other.id}`, { reason: null });
  const [, last] = await application.eventsOf(postStream(other.id));
  expect(last?.event.data).toEqual({ postId: other.id, reason: '' });
});

it('sends a new post to every socket of every node', async () => {
  const [here, there] = [await application.socket(), await application.socket(undefined, node.url)];
  const messages = Promise.all([nextMessage(here, 'community:new_post'), nextMessage(there, 'community:new_post')]);
  const posted = await publish(alice, 'Good luck!');
  const [post] = await readAfter<CommunityPost[]>(bob.visitor, posted, POSTS);
  expect(post).toMatchObject({ id: posted.body.id, message: 'Good luck!' });
  const message = { ...post, position: posted.headers.get('x-position') };
  expect(await messages).toEqual([message, message]);
});
