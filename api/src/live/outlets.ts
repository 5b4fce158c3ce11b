import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Server, Socket } from 'socket.io';
import type { LiveMessage } from './live-messages.js';
import { Outlet } from './outlet.js';
import { joined, type Packets, packetsOf } from './packets.js';

/** Sockets written to in one turn of the event loop (about a millisecond), so that purchases are answered in between. */
const SOCKETS_PER_TURN = 100;

interface Batch {
  packets: Packets;
  messages: LiveMessage[];
}

/** Sends messages to this node's sockets: encoded once for each audience, in one write for each socket. */
export class Outlets {
  private readonly outlets = new Map<string, Outlet>();

  constructor(private readonly server: Pick<Server, 'sockets'>) {}

  add(socket: Socket): void {
    this.outlets.set(socket.id, new Outlet(socket));
    socket.once('disconnect', () => this.outlets.delete(socket.id));
  }

  /**
   * Sends messages in their order, those to everyone first. A socket that has caught up gets the state instead. Returns
   * whether a socket is behind. Await it before the next call.
   */
  async send(messages: readonly LiveMessage[], state: () => LiveMessage): Promise<boolean> {
    let isAnyBehind = false;
    let count = 0;
    const toAll = batchOf(messages.filter(({ to }) => to === null));
    const toSome = this.batchesBySocket(messages);
    for (const [id, outlet] of this.outlets) {
      const own = toSome.get(id) ?? [];
      const batch = own.length === 0 ? toAll : joinedBatch([toAll, ...own]);
      const missed = outlet.catchUp();
      if (missed) outlet.send(packetsOf([state(), ...missed, ...unversioned(batch)]), []);
      else if (batch.messages.length > 0) outlet.send(batch.packets, batch.messages);
      isAnyBehind ||= outlet.isBehind;
      count += 1;
      if (count % SOCKETS_PER_TURN === 0) await nextTurn();
    }
    return isAnyBehind;
  }

  /** The batches of the rooms that each socket is in. */
  private batchesBySocket(messages: readonly LiveMessage[]): Map<string, Batch[]> {
    const { rooms } = this.server.sockets.adapter;
    const batches = new Map<string, Batch[]>();
    for (const room of new Set(messages.map(({ to }) => to))) {
      const ids = room === null ? undefined : rooms.get(room);
      if (!ids) continue;
      const batch = batchOf(messages.filter(({ to }) => to === room));
      for (const id of ids) batches.set(id, [...(batches.get(id) ?? []), batch]);
    }
    return batches;
  }
}

const batchOf = (messages: LiveMessage[]): Batch => ({ messages, packets: packetsOf(messages) });

const joinedBatch = (batches: Batch[]): Batch => ({
  messages: batches.flatMap(({ messages }) => messages),
  packets: joined(batches.map(({ packets }) => packets)),
});

const unversioned = ({ messages }: Batch): LiveMessage[] => messages.filter(({ body }) => !('version' in body));
