import type { MessageWriter } from '../log/protobuf.js';

/** The gRPC status codes this server uses. */
export const Status = {
  OK: 0,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

/** Ends a call with a status other than OK. The message goes to the client; trailers must be ASCII. */
export class GrpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly trailers: Readonly<Record<string, string>> = {},
    /** For a refused append: type of the message by which a BatchAppend call reports it and goes on. */
    readonly detailsType?: string,
    /** Writes the fields of that message. */
    readonly writeDetails?: (details: MessageWriter) => void,
  ) {
    super(message);
  }
}

/** Within a BatchAppend call it refuses one append only. */
export const invalidArgument = (message: string, trailers?: Record<string, string>): GrpcError =>
  new GrpcError(Status.INVALID_ARGUMENT, message, trailers, 'BadRequest', (details) => details.string(1, message));

/** For requests at which EventStoreDB itself fails. */
export const unknownError = (message: string): GrpcError => new GrpcError(Status.UNKNOWN, message);
