import { deadLine, killedDatabase, killedService, killedSignUps, type Report } from './scenarios.ts'

/** `npm run faults [-- name]`: the long runs, with figures. `npm test` has short ones of the same. */
const scenarios: Record<string, () => Promise<Report>> = {
  'killed-service': () => killedService({ kills: 40 }),
  'killed-sign-ups': () => killedSignUps({ kills: 20 }),
  'killed-database': () => killedDatabase({ kills: 10 }),
  'dead-line': () => deadLine({ seconds: 20 }),
}
const wanted = process.argv.slice(2)
const chosen = Object.entries(scenarios).filter(([name]) => wanted.length === 0 || wanted.includes(name))
if (chosen.length === 0) {
  process.stderr.write(`Which scenario? One of: ${Object.keys(scenarios).join(', ')}\n`)
  process.exit(1)
}
let failures = 0
for (const [name, run] of chosen) {
  const { figures, broken } = await run()
  failures += broken.length
  const shown = Object.entries(figures).map(([label, value]) => `${label}=${value}`)
  process.stdout.write(`${name}: ${shown.join(' ')} broken=${broken.length}\n`)
  for (const line of new Set(broken)) process.stdout.write(`  ${line}\n`)
}
process.exit(failures === 0 ? 0 : 1)
