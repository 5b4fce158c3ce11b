import { randomUUID } from 'node:crypto';
import { until } from '../../contracts/testing/until.js';

export interface ApiResponse<T = Record<string, unknown>> {
  status: number;
  headers: globalThis.Headers;
  body: T;
}

type Headers = Record<string, string>;

/** An HTTP client that keeps its cookies like a browser, and may send any headers. */
export class Visitor {
  readonly cookies = new Map<string, string>();

  /** @param node the address of a node, which may start later */
  constructor(
    readonly node: string | { readonly url: string },
    private readonly headers: Headers = {},
  ) {}

  get = <T>(path: string, headers?: Headers) => this.send<T>('GET', path, undefined, headers);
  /** Sends a command, again with its key while the server is busy, as the page does. */
  command = <T>(method: 'POST' | 'PUT', path: string, body: unknown) => {
    const key = { 'idempotency-key': randomUUID() };
    return until(
      () => this.send<T>(method, path, body, key),
      ({ status }) => status !== 503,
    );
  };
  post = <T>(path: string, body?: unknown, headers?: Headers) => this.send<T>('POST', path, body, headers);
  put = <T>(path: string, body?: unknown, headers?: Headers) => this.send<T>('PUT', path, body, headers);
  patch = <T>(path: string, body?: unknown, headers?: Headers) => this.send<T>('PATCH', path, body, headers);
  delete = <T>(path: string, headers?: Headers) => this.send<T>('DELETE', path, undefined, headers);

  cookie(name: string): string | undefined {
    return this.cookies.get(name);
  }

  setCookie(name: string, value: string): void {
    this.cookies.set(name, value);
  }

  /** The same browser, with the cookies of now, at another node. */
  at(url: string): Visitor {
    const same = new Visitor(url, this.headers);
    for (const [name, value] of this.cookies) same.setCookie(name, value);
    return same;
  }

  async send<T>(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<ApiResponse<T>> {
    const url = typeof this.node === 'string' ? this.node : this.node.url;
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(this.cookies.size > 0 && {
          cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...this.headers,
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    this.keep(response.headers.getSetCookie());
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as T };
  }

  private keep(setCookies: string[]): void {
    for (const line of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** The response's status, and the code of a refusal. */
export async function codeOf(response: Promise<ApiResponse<unknown>> | ApiResponse<unknown>): Promise<string> {
  const { status, body } = await response;
  return `${status} ${(body as { code?: string } | null)?.code ?? ''}`.trim();
}

/** The response's status, and the text of a refusal. */
export async function errorOf(response: Promise<ApiResponse<unknown>> | ApiResponse<unknown>) {
  const { status, body } = await response;
  return [status, (body as { error?: string } | null)?.error];
}

/** The response, which must be a success. */
export async function ok<T>(response: Promise<ApiResponse<T>>): Promise<ApiResponse<T>> {
  const { status, body } = await response;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return response;
}
