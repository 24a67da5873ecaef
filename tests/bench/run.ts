import { readdirSync } from 'node:fs'
import { runAll } from './all.ts'

/** `npm run bench -- <name>` runs tests/bench/<name>/bench.ts, `all` those with goals; without a name it lists them. */
const names = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
const [name, ...rest] = process.argv.slice(2)
if (name === 'all') await runAll(names, rest)
else if (name && names.includes(name)) {
  const bench: { run(): Promise<void> } = await import(`./${name}/bench.ts`)
  await bench.run()
} else {
  process.stderr.write(`Which bench? One of: all, ${names.join(', ')}\n`)
  process.exitCode = name ? 1 : 0
}
