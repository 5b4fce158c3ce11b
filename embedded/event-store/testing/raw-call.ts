import { type ClientHttp2Session, connect, constants } from 'node:http2';

export interface RawAnswer {
  httpStatus: number;
  /** Undefined when the server sent none. */
  grpcStatus: number | undefined;
  grpcMessage: string;
  body: Buffer;
}

/** Sends bytes as a gRPC call without a gRPC library, so that they may be malformed. */
export async function rawCall(
  port: number,
  path: string,
  body: Buffer,
  { headers = {}, end = true }: { headers?: Record<string, string>; end?: boolean } = {},
): Promise<RawAnswer> {
  const session = connect(`http://127.0.0.1:${port}`);
  try {
    return await requestOn(session, path, body, headers, end);
  } finally {
    session.destroy();
  }
}

/** Opens a call; the caller writes to it and ends it. */
export function openCall(session: ClientHttp2Session, path: string, headers: Record<string, string> = {}) {
  return session.request({
    [constants.HTTP2_HEADER_METHOD]: 'POST',
    [constants.HTTP2_HEADER_PATH]: path,
    [constants.HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc',
    te: 'trailers',
    ...headers,
  });
}

/** Sends bytes as a call on an open connection. */
export function requestOn(
  session: ClientHttp2Session,
  path: string,
  body: Buffer,
  headers: Record<string, string> = {},
  end = true,
) {
  return new Promise<RawAnswer>((resolve, reject) => {
    const stream = openCall(session, path, headers);
    const chunks: Buffer[] = [];
    let answer = { httpStatus: 0, grpcStatus: undefined as number | undefined, grpcMessage: '' };
    const note = (headers: Record<string, unknown>) => {
      const status = headers['grpc-status'];
      answer = {
        httpStatus: Number(headers[':status'] ?? answer.httpStatus),
        grpcStatus: status === undefined ? answer.grpcStatus : Number(status),
        grpcMessage: decodeURIComponent(String(headers['grpc-message'] ?? answer.grpcMessage)),
      };
    };
    stream.on('response', note);
    stream.on('trailers', note);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', reject);
    stream.on('end', () => resolve({ ...answer, body: Buffer.concat(chunks) }));
    stream.write(body);
    if (end) stream.end();
  });
}
