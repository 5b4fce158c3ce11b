import type { Recorded } from '../../contracts/events/recorded.js';
import { type Db, isTransient } from './database.js';
import { Batch, type View } from './views/view.js';

/** A view could not apply an event. */
export class ViewFailed extends Error {}

/**
 * Applies events to views, in the current transaction. Throws ViewFailed, or a transient error of the database.
 *
 * The views run concurrently: Postgres writes the rows of one view while the rows of the next are computed. Each view has
 * tables of its own and awaits its own statements, so the order of the views does not matter.
 */
export async function applyViews(views: readonly View[], events: readonly Recorded[], db: Db): Promise<void> {
  const batch = batchOf(events);
  // The first one: after a failed statement Postgres also refuses those of the other views.
  let failure: unknown;
  const apply = async (view: View): Promise<void> => {
    try {
      await view.apply(batch, db);
    } catch (error) {
      failure ??= isTransient(error) ? error : failed(`view ${view.name}`, events, error);
    }
  };
  await Promise.all(views.map(apply));
  if (failure) throw failure;
}

function batchOf(events: readonly Recorded[]): Batch {
  try {
    return new Batch(events);
  } catch (error) {
    throw failed('the postings', events, error);
  }
}

function failed(what: string, events: readonly Recorded[], cause: unknown): ViewFailed {
  const [first] = events;
  const name = `${first?.stream}@${first?.revision} ${first?.event.type} (position ${first?.position})`;
  const names = events.length === 1 ? name : `a batch of ${events.length} from ${name}`;
  return new ViewFailed(`${what} failed on ${names}`, { cause });
}
