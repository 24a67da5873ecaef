import { readdirSync } from 'node:fs'

/** `npm run bench -- <name>` runs tests/bench/<name>/bench.ts; without a name it lists them. */
const names = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
const name = process.argv[2]
if (!name || !names.includes(name)) {
  process.stderr.write(`Which bench? One of: ${names.join(', ')}\n`)
  process.exit(name ? 1 : 0)
}
const bench: { run(): Promise<void> } = await import(`./${name}/bench.ts`)
await bench.run()
