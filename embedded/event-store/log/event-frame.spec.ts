import streams from '@eventstore/db-client/generated/streams_pb.js';
import { TOMBSTONE_REVISION } from '../core/stream.js';
import { FrameEncoder, FrameView, frameLength, proposeJson } from './event-frame.js';
import { FRAME_HEADER_LENGTH } from './protobuf.js';

const id = 'A2B40C1E-93E4-4D8F-9D4B-0F2C0A6C1F11';
const createdMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

function decode(bytes: Buffer, offset: number) {
  const message = bytes.subarray(offset + FRAME_HEADER_LENGTH, offset + frameLength(bytes, offset));
  return streams.ReadResp.deserializeBinary(message).getEvent()!;
}

describe('a stored event', () => {
  it.each([
    ['ledger', 0, 1],
    ['ledger', 127, 128],
    ['gamer-ü', 300, 70_000],
    [`long-${'n'.repeat(300)}`, 2 ** 40, 2 ** 45],
  ])('is the message that answers a read: %s at revision %d, position %d', (stream, revision, position) => {
    const json = JSON.stringify({ text: 'x'.repeat(200) });
    const bytes = new FrameEncoder(stream, createdMs).encode(
      revision,
      proposeJson(id, 'TokenPurchased', json),
      position,
    );
    expect(bytes.length).toBe(frameLength(bytes, 0));
    const event = decode(bytes, 0);
    const recorded = event.getEvent()!;
    expect(recorded.getId()?.getString()).toBe(id.toLowerCase());
    expect(Buffer.from(recorded.getStreamIdentifier()!.getStreamName_asU8()).toString()).toBe(stream);
    expect(recorded.getStreamRevision()).toBe(String(revision));
    expect(recorded.getCommitPosition()).toBe(String(position));
    expect(recorded.getPreparePosition()).toBe(String(position));
    expect(event.getCommitPosition()).toBe(String(position));
    expect(recorded.getMetadataMap().get('type')).toBe('TokenPurchased');
    expect(recorded.getMetadataMap().get('content-type')).toBe('application/json');
    expect(recorded.getMetadataMap().get('created')).toBe(`${createdMs}0000`);
    expect(Buffer.from(recorded.getData_asU8()).toString()).toBe(json);
    expect(recorded.getCustomMetadata_asU8()).toHaveLength(0);
  });

  it('gives access to its fields without decoding', () => {
    const encoder = new FrameEncoder('links', createdMs);
    const first = encoder.encode(7, proposeJson(id, 'A', '{}'), 1_000);
    const offset = first.length;
    const second = encoder.encode(8, proposeJson(id, '$>', '0@ledger'), 1_000 + offset);
    const bytes = Buffer.concat([first, second]);
    const view = new FrameView(bytes, offset);
    expect(offset).toBe(frameLength(bytes, 0));
    expect(view.id).toBe(id.toLowerCase());
    expect(view.stream).toBe('links');
    expect(view.revision).toBe(8);
    expect(view.position).toBe(1_000 + offset);
    expect(view.type).toBe('$>');
    expect(view.createdMs).toBe(createdMs);
    expect(view.data.toString()).toBe('0@ledger');
    const recorded = streams.ReadResp.ReadEvent.RecordedEvent.deserializeBinary(view.recorded);
    expect(recorded.toObject()).toEqual(decode(bytes, offset).getEvent()!.toObject());
  });

  it('has the largest revision when it is a tombstone', () => {
    const tombstone = proposeJson(id, '$streamDeleted', '');
    const bytes = new FrameEncoder('gone', createdMs).encode(TOMBSTONE_REVISION, tombstone, 1);
    expect(decode(bytes, 0).getEvent()?.getStreamRevision()).toBe('9223372036854775807');
    expect(new FrameView(bytes, 0).revision).toBe(TOMBSTONE_REVISION);
  });
});
