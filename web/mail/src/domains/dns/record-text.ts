import type { DnsRecord } from '@stoa/mail-model/dns.ts'

type Data = Pick<DnsRecord, 'type' | 'value' | 'priority' | 'weight' | 'port'>

/** The data of a record as the service writes what it found. */
export const dataText = ({ type, value, priority, weight, port }: Data): string => {
  if (type === 'MX') return `${priority ?? 0} ${value}`
  if (type === 'SRV') return `${priority ?? 0} ${weight ?? 0} ${port ?? 0} ${value}`
  return value
}

/** Identifies a record within its domain, whatever its current value. */
export const recordId = ({ record, type, name, value }: DnsRecord): string =>
  `record-${record}-${type}-${name}-${type === 'MX' ? value : ''}`

/** All records as lines of text, to paste into a ticket or a mail to the DNS administrator. */
export const recordsText = (records: readonly DnsRecord[]): string =>
  records.map((record) => [record.type, record.fqdn, record.ttl, dataText(record)].join('\t')).join('\n')

export type DiffPart = { text: string; isChanged: boolean }
export type RecordDiff = { found: readonly (readonly DiffPart[])[]; wanted: readonly DiffPart[] }

/** What is there against what should be: in each found value what is not wanted, in the wanted one what is missing. */
export const diffRecord = (found: readonly string[], wanted: string): RecordDiff => {
  const wantedWords = wordsOf(wanted)
  const sides = found.map((value) => compare(wordsOf(value), wantedWords))
  const nearest = sides.toSorted((a, b) => changedLength(a.right) - changedLength(b.right))[0]
  return {
    found: sides.map(({ left }) => left),
    wanted: nearest?.right ?? [{ text: wanted, isChanged: true }],
  }
}

/** An SPF record that keeps what is there and lets this server send too. */
export const mergedSpf = (found: readonly string[], wanted: string): string => {
  const terms = (text: string) => text.trim().split(/\s+/).slice(1)
  const isAll = (term: string) => /^[+~?-]?all$/i.test(term)
  const there = found.flatMap(terms)
  const end = there.find(isAll) ?? terms(wanted).find(isAll) ?? '~all'
  const kept = there.filter((term) => !isAll(term)).map((term) => term.replace(/^redirect=/i, 'include:'))
  const ours = terms(wanted).filter((term) => !isAll(term))
  return ['v=spf1', ...new Set([...ours, ...kept]), end].join(' ')
}

/** Words with the separators after them, so that joined they are the text again. */
const wordsOf = (text: string): readonly string[] => text.match(/[^\s;,=]+[\s;,=]*|[\s;,=]+/g) ?? []

const bare = (word: string): string => word.replace(/[\s;,]+$/, '').toLowerCase()

/** The longest common run of words, as in any text diff; records are short. */
const compare = (left: readonly string[], right: readonly string[]) => {
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0))
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  const same = (i: number, j: number): boolean => bare(left[i] ?? '') === bare(right[j] ?? '')
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const row = lengths[i]
      if (row) row[j] = same(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  const kept = { left: new Set<number>(), right: new Set<number>() }
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (same(i, j)) {
      kept.left.add(i++)
      kept.right.add(j++)
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return { left: partsOf(left, kept.left), right: partsOf(right, kept.right) }
}

const partsOf = (words: readonly string[], kept: ReadonlySet<number>): readonly DiffPart[] => {
  const parts: { text: string; isChanged: boolean }[] = []
  for (const [index, text] of words.entries()) {
    const isChanged = !kept.has(index)
    const last = parts.at(-1)
    if (last && last.isChanged === isChanged) last.text += text
    else parts.push({ text, isChanged })
  }
  return parts
}

const changedLength = (parts: readonly DiffPart[]): number =>
  parts.reduce((sum, { text, isChanged }) => sum + (isChanged ? text.length : 0), 0)
