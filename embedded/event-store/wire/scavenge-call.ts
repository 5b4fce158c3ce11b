import { randomUUID } from 'node:crypto';
import operations from '@eventstore/db-client/generated/operations_pb.js';
import type { EventLog } from '../log/event-log.js';
import type { AccessControl } from './access-control.js';
import type { GrpcCall } from './grpc-call.js';
import { frameMessage } from './message-framing.js';

const { STARTED, INPROGRESS } = operations.ScavengeResp.ScavengeResult;

/** Serves StartScavenge. Unlike a real server, which scavenges in the background, it answers at the end. */
export class ScavengeCalls {
  private scavengeId: string | undefined;

  constructor(
    private readonly log: EventLog,
    private readonly access: AccessControl,
  ) {}

  async serve(call: GrpcCall): Promise<void> {
    this.access.requireOperator(this.access.authenticate(call));
    await call.receiveOne();
    const result = this.scavengeId === undefined ? STARTED : INPROGRESS;
    const scavengeId = this.scavengeId ?? randomUUID();
    if (result === STARTED) {
      this.scavengeId = scavengeId;
      await this.log.scavenge().finally(() => {
        this.scavengeId = undefined;
      });
    }
    const answer = new operations.ScavengeResp().setScavengeId(scavengeId).setScavengeResult(result);
    await call.send(frameMessage(answer.serializeBinary()));
  }
}
