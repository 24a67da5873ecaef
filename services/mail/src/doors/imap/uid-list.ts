/** The UIDs of a folder as a client knows them, in order: the place of each is its sequence number, from 1. */
export type UidList = {
  readonly length: number
  /** 0 when the list is empty. */
  readonly last: number
  /** 0 when there is no such message. */
  uidAt(sequence: number): number
  /** 0 when the UID is not in the list. */
  sequenceOf(uid: number): number
  /** How many there are up to a UID, with it. */
  countUpTo(uid: number): number
  /** All, in order. */
  values(): IterableIterator<number>
  /** The UIDs from one to another, both included. */
  between(first: number, last: number): number[]
}

export type MutableUidList = UidList & {
  /** The UID must be larger than all others. */
  add(uid: number): void
  /** Sorted ones; those that are not there do not matter. */
  remove(uids: readonly number[]): void
  copy(): MutableUidList
  /** The approximate memory use. */
  readonly bytes: number
}

export const createUidList = (uids: Iterable<number>): MutableUidList => {
  const list = new RunList()
  for (const uid of uids) list.add(uid)
  return list
}

/**
 * Most UIDs follow each other: a run of them takes eight bytes, however long it is. A class, since thousands of
 * connections have one each and closures would take more room than the numbers.
 */
class RunList implements MutableUidList {
  #starts = new Uint32Array(2)
  /** The sequence number of each start. */
  #sequences = new Uint32Array(2)
  #runs = 0
  #length = 0

  get length(): number {
    return this.#length
  }

  get last(): number {
    const run = this.#runs - 1
    return run < 0 ? 0 : at(this.#starts, run) + this.#lengthOf(run) - 1
  }

  uidAt(sequence: number): number {
    if (sequence < 1 || sequence > this.#length) return 0
    const run = this.#runOf(this.#sequences, sequence)
    return at(this.#starts, run) + sequence - at(this.#sequences, run)
  }

  sequenceOf(uid: number): number {
    const run = this.#runOf(this.#starts, uid)
    if (run === -1) return 0
    const offset = uid - at(this.#starts, run)
    return offset < this.#lengthOf(run) ? at(this.#sequences, run) + offset : 0
  }

  countUpTo(uid: number): number {
    const run = this.#runOf(this.#starts, uid)
    if (run === -1) return 0
    return at(this.#sequences, run) - 1 + Math.min(uid - at(this.#starts, run) + 1, this.#lengthOf(run))
  }

  *values(): IterableIterator<number> {
    for (let run = 0; run < this.#runs; run += 1) {
      const count = this.#lengthOf(run)
      const start = at(this.#starts, run)
      for (let offset = 0; offset < count; offset += 1) yield start + offset
    }
  }

  between(from: number, to: number): number[] {
    const found: number[] = []
    for (let run = Math.max(0, this.#runOf(this.#starts, from)); run < this.#runs; run += 1) {
      const start = at(this.#starts, run)
      if (start > to) break
      const end = Math.min(to, start + this.#lengthOf(run) - 1)
      for (let uid = Math.max(from, start); uid <= end; uid += 1) found.push(uid)
    }
    return found
  }

  add(uid: number): void {
    if (this.#runs === 0 || uid !== this.last + 1) {
      if (this.#runs === this.#starts.length) this.#grow()
      this.#starts[this.#runs] = uid
      this.#sequences[this.#runs] = this.#length + 1
      this.#runs += 1
    }
    this.#length += 1
  }

  remove(gone: readonly number[]): void {
    if (!gone.some((uid) => this.sequenceOf(uid) > 0)) return
    const left = new RunList()
    let next = 0
    for (let run = 0; run < this.#runs; run += 1) {
      let start = at(this.#starts, run)
      const end = start + this.#lengthOf(run)
      for (; next < gone.length && (gone[next] ?? 0) < end; next += 1) {
        const uid = gone[next] ?? 0
        if (uid < start) continue
        left.#addRun(start, uid - start)
        start = uid + 1
      }
      left.#addRun(start, end - start)
    }
    this.#take(left)
  }

  copy(): MutableUidList {
    const copy = new RunList()
    copy.#take(this)
    copy.#starts = this.#starts.slice()
    copy.#sequences = this.#sequences.slice()
    return copy
  }

  get bytes(): number {
    return 2 * this.#starts.byteLength
  }

  #addRun(start: number, length: number): void {
    if (length === 0) return
    this.add(start)
    this.#length += length - 1
  }

  #take(other: RunList): void {
    this.#starts = other.#starts
    this.#sequences = other.#sequences
    this.#runs = other.#runs
    this.#length = other.#length
  }

  #lengthOf(run: number): number {
    const next = run + 1 < this.#runs ? at(this.#sequences, run + 1) : this.#length + 1
    return next - at(this.#sequences, run)
  }

  /** The last run that begins at or before a value; -1 if there is none. */
  #runOf(values: Uint32Array, value: number): number {
    let low = 0
    let high = this.#runs
    while (low < high) {
      const middle = (low + high) >> 1
      if (at(values, middle) <= value) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  #grow(): void {
    const size = this.#starts.length * 2
    const [starts, sequences] = [new Uint32Array(size), new Uint32Array(size)]
    starts.set(this.#starts)
    sequences.set(this.#sequences)
    this.#starts = starts
    this.#sequences = sequences
  }
}

const at = (values: Uint32Array, index: number): number => values[index] ?? 0
