import { type ClientHttp2Session, connect, constants } from 'node:http2';

export interface RawAnswer {
  httpStatus: number;
  /** Undefined when the server sent none. */
  grpcStatus: number | undefined;
  grpcMessage: string;
  body: Buffer;
}

/** Sends bytes as a gRPC call without a gRPC library, which would not send anything wrong. */
export async function rawCall(
  port: number,
  path: string,
  body: Buffer,
  { contentType = 'application/grpc', end = true }: { contentType?: string; end?: boolean } = {},
): Promise<RawAnswer> {
  const session = connect(`http://127.0.0.1:${port}`);
  try {
    return await request(session, path, body, contentType, end);
  } finally {
    session.destroy();
  }
}

function request(session: ClientHttp2Session, path: string, body: Buffer, contentType: string, end: boolean) {
  return new Promise<RawAnswer>((resolve, reject) => {
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: path,
      [constants.HTTP2_HEADER_CONTENT_TYPE]: contentType,
      te: 'trailers',
    });
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
