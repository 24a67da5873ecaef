import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { docTables, withTable } from './doc-tables.ts'

/** `npm run docs`: writes the parts of the documentation that are declared in code. */
for (const [page, table] of Object.entries(docTables)) {
  const path = fileURLToPath(new URL(`../${page}`, import.meta.url))
  writeFileSync(path, withTable(readFileSync(path, 'utf8'), table))
  process.stdout.write(`${page}\n`)
}
