/** A Map that can be copied entry by entry while it changes. */
export class CopyOnWriteMap<K, V> extends Map<K, V> {
  /** Former values of the entries that changed since a copy began; null while no copy is made. */
  private changed: Map<K, { former: V } | null> | null = null;

  override set(key: K, value: V): this {
    if (this.changed) this.keepFormer(key, this.changed);
    return super.set(key, value);
  }

  override delete(key: K): boolean {
    if (this.changed) this.keepFormer(key, this.changed);
    return super.delete(key);
  }

  /** The entries as of the call, until `end`; a changed one may come twice, the same. Throws during a copy. */
  beginCopy(): { entries: Iterable<[K, V]>; end(): void } {
    if (this.changed) throw new Error('a copy is being made already');
    const changed = new Map<K, { former: V } | null>();
    this.changed = changed;
    const end = (): void => {
      if (this.changed === changed) this.changed = null;
    };
    return { entries: this.entriesBefore(changed, end), end };
  }

  private keepFormer(key: K, changed: NonNullable<typeof this.changed>): void {
    if (!changed.has(key)) changed.set(key, this.has(key) ? { former: this.get(key) as V } : null);
  }

  private *entriesBefore(changed: NonNullable<typeof this.changed>, end: () => void): Iterable<[K, V]> {
    for (const entry of this) if (!changed.has(entry[0])) yield entry;
    end();
    for (const [key, kept] of changed) if (kept) yield [key, kept.former];
  }
}
