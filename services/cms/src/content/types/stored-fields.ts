import { type Field, fieldList } from '@stoa/cms-model/fields/field.ts'

/** More documents than a site has types; the oldest makes room. */
const MAX_KEPT = 1_000

const kept = new Map<string, readonly Field[]>()

/**
 * The fields of a stored document. Every read of an entry needs them, so that a document is parsed once: the same text
 * always means the same fields, whichever type or process wrote it.
 */
export const readFields = (text: string): readonly Field[] => {
  const known = kept.get(text)
  if (known) return known
  const fields = Object.freeze(fieldList.parse(JSON.parse(text)))
  const [oldest] = kept.keys()
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest)
  kept.set(text, fields)
  return fields
}
