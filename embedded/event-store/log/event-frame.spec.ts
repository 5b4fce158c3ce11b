import streams from '@eventstore/db-client/generated/streams_pb.js';
import { encodeFrame, FRAME_HEADER_LENGTH, frameLength, namesOf, proposeJson } from './event-frame.js';

const id = 'a2b40c1e-93e4-4d8f-9d4b-0f2c0a6c1f11';
const createdMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

it.each([
  ['ledger', 0, 1],
  ['ledger', 127, 128],
  ['gamer-ü', 300, 70_000],
  [`long-${'n'.repeat(300)}`, 2 ** 40, 2 ** 45],
])(
  'a stored event is the message that answers a read: %s at revision %d, position %d',
  (stream, revision, position) => {
    const json = JSON.stringify({ text: 'x'.repeat(200) });
    const bytes = encodeFrame(stream, revision, proposeJson(id, 'TokenPurchased', json), position, createdMs);
    expect(bytes.length).toBe(frameLength(bytes, 0));
    expect(namesOf(Buffer.concat([bytes, bytes]), bytes.length)).toEqual({ id, stream });
    const event = streams.ReadResp.deserializeBinary(bytes.subarray(FRAME_HEADER_LENGTH)).getEvent()!;
    const recorded = event.getEvent()!;
    expect(recorded.getId()?.getString()).toBe(id);
    expect(Buffer.from(recorded.getStreamIdentifier()!.getStreamName_asU8()).toString()).toBe(stream);
    expect(recorded.getStreamRevision()).toBe(String(revision));
    const places = [recorded.getCommitPosition(), recorded.getPreparePosition(), event.getCommitPosition()];
    expect(places).toEqual(Array(3).fill(String(position)));
    expect(recorded.getMetadataMap().get('type')).toBe('TokenPurchased');
    expect(recorded.getMetadataMap().get('content-type')).toBe('application/json');
    expect(recorded.getMetadataMap().get('created')).toBe(`${createdMs}0000`);
    expect(Buffer.from(recorded.getData_asU8()).toString()).toBe(json);
    expect(recorded.getCustomMetadata_asU8()).toHaveLength(0);
  },
);
