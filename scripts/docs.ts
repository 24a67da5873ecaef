import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { eventPages, withEventTable } from './event-tables.ts'

/** `npm run docs`: writes the parts of the documentation that are declared in code. */
for (const [page, events] of Object.entries(eventPages)) {
  const path = fileURLToPath(new URL(`../${page}`, import.meta.url))
  writeFileSync(path, withEventTable(readFileSync(path, 'utf8'), events))
  process.stdout.write(`${page}\n`)
}
