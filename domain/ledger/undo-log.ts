/** A Map, or another collection that changes as a Map does. */
interface Entries<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
  delete(key: K): unknown;
}

/** Writes to the state: directly in a replay; through an UndoJournal for a batch whose append may fail and is then undone. */
export class Changes {
  protected readonly undos: (() => void)[] | undefined;

  addTo<K>(set: Set<K>, key: K): void {
    if (!set.has(key)) this.undos?.push(() => set.delete(key));
    set.add(key);
  }

  setEntry<K, V>(map: Entries<K, V>, key: K, value: V): void {
    if (this.undos) {
      const before = map.get(key);
      this.undos.push(before === undefined ? () => map.delete(key) : () => map.set(key, before));
    }
    map.set(key, value);
  }

  deleteEntry<K, V>(map: Map<K, V>, key: K): void {
    const before = map.get(key);
    if (before !== undefined) this.undos?.push(() => map.set(key, before));
    map.delete(key);
  }

  setField<T, F extends keyof T>(target: T, field: F, value: T[F]): void {
    const before = target[field];
    this.undos?.push(() => {
      target[field] = before;
    });
    target[field] = value;
  }
}

export const directChanges = new Changes();

export class UndoLog extends Changes {
  protected override readonly undos: (() => void)[] = [];

  /** Undoes every change, latest first. */
  undo(): void {
    for (let undo = this.undos.pop(); undo; undo = this.undos.pop()) undo();
  }
}
