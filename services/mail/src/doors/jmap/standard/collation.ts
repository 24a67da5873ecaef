import { casemap } from '../../../formats/mime/mime.ts'

const natural = new Intl.Collator('en')

/** Compares texts in the order of a collation of RFC 4790; null: as people expect it. */
export const byText = (collation: string | null): ((a: string, b: string) => number) => {
  if (collation === null) return natural.compare
  const fold = FOLDS[collation] ?? ((text) => text)
  return (a, b) => Buffer.compare(Buffer.from(fold(a)), Buffer.from(fold(b)))
}

const FOLDS: Readonly<Record<string, (text: string) => string>> = {
  'i;octet': (text) => text,
  'i;ascii-casemap': (text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
  'i;unicode-casemap': casemap,
}
