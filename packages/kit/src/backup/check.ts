import { BackupError } from './errors.ts'
import { createKeySet, type KeySet } from './key-set.ts'
import type { BackupPart, Manifest } from './manifest.ts'
import { createProgress, withoutItems } from './progress.ts'
import type { Report } from './source.ts'
import { inParallel, readLines, readPart, readStoredBlob, type Vault } from './stored-blobs.ts'

const PARALLEL = 6
/** A backup with more problems is not worth a longer list. */
const MAX_PROBLEMS = 100

/**
 * Reads a whole backup and gives what is wrong with it: files that are missing, damaged or cut, counts that differ, blobs
 * that rows name and that aren't there. Nothing is changed.
 */
export const checkBackup = async (vault: Vault, manifest: Manifest, report: Report): Promise<string[]> => {
  const problems: string[] = []
  const note = (problem: string): void => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem)
  }
  const progress = createProgress(manifest.service, report)
  const missing = new Set(manifest.blobs.missing)
  const keys = createKeySet(manifest.blobs.count)

  const checkPart = async (part: BackupPart, look: (line: Buffer) => void, counter = progress): Promise<void> => {
    const counted = { rows: 0, bytes: 0 }
    for await (const chunk of linesOf(readPart(vault, part), look)) {
      counted.rows += chunk.rows
      counted.bytes += chunk.bytes
      counter.add(chunk.rows, chunk.bytes)
    }
    if (counted.rows !== part.rows || counted.bytes !== part.bytes)
      note(`${part.file} has ${counted.rows} rows instead of ${part.rows}.`)
  }

  progress.begin('rows')
  await noting(note, async () => {
    for (const part of manifest.blobs.parts)
      await checkPart(part, (line) => keys.add(line.toString('latin1')), withoutItems(progress))
  })
  for (const table of manifest.tables) {
    const look = lookAtBlobs(table, manifest, { keys, note })
    for (const part of table.parts) await noting(note, () => checkPart(part, look))
    if (table.parts.reduce((total, { rows }) => total + rows, 0) !== table.rows)
      note(`The parts of ${table.schema}.${table.name} don't have ${table.rows} rows together.`)
  }
  progress.begin('files')
  await noting(note, () =>
    inParallel(readLines(vault, manifest.blobs.parts), PARALLEL, (key) =>
      noting(note, async () => {
        if (missing.has(key)) return
        let bytes = 0
        for await (const chunk of readStoredBlob(vault, key)) bytes += chunk.length
        progress.add(1, bytes)
      }),
    ),
  )
  progress.end()
  return problems
}

/** Records a problem of the backup as a finding; any other error, such as an unreachable destination, ends the check. */
const noting = async (note: (problem: string) => void, work: () => Promise<unknown>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    note(error.message)
  }
}

const NEWLINE = 0x0a
const TAB = 0x09
/** How COPY writes null. */
const NULL = '\\N'

/** Calls back with each line, without its end. */
async function* linesOf(source: AsyncIterable<Buffer>, look: (line: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    let rows = 0
    for (let end = text.indexOf(NEWLINE); end !== -1; end = text.indexOf(NEWLINE, start)) {
      look(text.subarray(start, end))
      rows += 1
      start = end + 1
    }
    rest = text.subarray(start)
    yield { rows, bytes: chunk.length }
  }
}

/** Compares the keys in a table's rows with the list of blobs. */
const lookAtBlobs = (
  { schema, name, columns }: Manifest['tables'][number],
  { blobs }: Manifest,
  { keys, note }: { keys: KeySet; note: (problem: string) => void },
): ((line: Buffer) => void) => {
  if (schema !== 'public' || !blobs.tables.includes(name)) return () => undefined
  const index = columns.indexOf('blob_key')
  return (line) => {
    const key = fieldOf(line, index)
    if (key !== NULL && !keys.has(key)) note(`A row of ${name} names the blob ${key}, which isn't in the backup.`)
  }
}

const fieldOf = (line: Buffer, index: number): string => {
  let start = 0
  for (let passed = 0; passed < index; passed += 1) start = line.indexOf(TAB, start) + 1
  const end = line.indexOf(TAB, start)
  return line.toString('latin1', start, end === -1 ? line.length : end)
}
