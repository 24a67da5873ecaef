import type { Report } from './outcomes.ts'
import { random } from './random/random.ts'
import { backup } from './scenarios/backup.ts'
import { billing } from './scenarios/billing.ts'
import { cutConnections } from './scenarios/cut-connections.ts'
import { deadLine } from './scenarios/dead-line.ts'
import { fullDatabase } from './scenarios/full-database.ts'
import { idle } from './scenarios/idle.ts'
import { install } from './scenarios/install.ts'
import { killedDatabase } from './scenarios/killed-database.ts'
import { killedService } from './scenarios/killed-service.ts'
import { killedSignUps } from './scenarios/killed-sign-ups.ts'
import { killedUploads } from './scenarios/killed-uploads.ts'
import { lateWorker } from './scenarios/late-worker.ts'
import { machines } from './scenarios/machines.ts'
import { mailAway } from './scenarios/mail-away.ts'
import { mailBatch } from './scenarios/mail-batch.ts'
import { mailClock } from './scenarios/mail-clock.ts'
import { mailData } from './scenarios/mail-data.ts'
import { mailDisk } from './scenarios/mail-disk.ts'
import { mailHalfOpen } from './scenarios/mail-half-open.ts'
import { mailIdle } from './scenarios/mail-idle.ts'
import { mailMemory } from './scenarios/mail-memory.ts'
import { mailOutage } from './scenarios/mail-outage.ts'
import { mailPeers } from './scenarios/mail-peers.ts'
import { mailRelay } from './scenarios/mail-relay.ts'
import { mailRolling } from './scenarios/mail-rolling.ts'
import { mailSlow } from './scenarios/mail-slow.ts'
import { mailStore } from './scenarios/mail-store.ts'
import { mailTransfer } from './scenarios/mail-transfer.ts'
import { mailUpkeep } from './scenarios/mail-upkeep.ts'
import { majors } from './scenarios/majors.ts'
import { pgBouncer } from './scenarios/pgbouncer.ts'
import { pluginEvents } from './scenarios/plugin-events.ts'
import { rolling } from './scenarios/rolling.ts'
import { scheduled } from './scenarios/scheduled.ts'
import { slow } from './scenarios/slow.ts'
import { soak } from './scenarios/soak.ts'
import { social } from './scenarios/social.ts'
import { twoProcesses } from './scenarios/two-processes.ts'
import { upgrade } from './scenarios/upgrade.ts'

/** `npm run faults [-- name…]`: the long runs, with figures. `npm test` has short ones of the same. */
const scenarios: Record<string, () => Promise<Report>> = {
  'killed-service': killedService,
  'killed-sign-ups': killedSignUps,
  'killed-database': killedDatabase,
  'cut-connections': cutConnections,
  'dead-line': deadLine,
  'full-database': fullDatabase,
  scheduled,
  social,
  'plugin-events': pluginEvents,
  'killed-uploads': killedUploads,
  'late-worker': lateWorker,
  idle,
  slow,
  rolling,
  'two-processes': twoProcesses,
  'mail-batch': mailBatch,
  'mail-data': mailData,
  'mail-relay': mailRelay,
  'mail-transfer': mailTransfer,
  'mail-outage': mailOutage,
  'mail-disk': mailDisk,
  'mail-peers': mailPeers,
  backup,
  'mail-away': mailAway,
  'mail-clock': mailClock,
  'mail-half-open': mailHalfOpen,
  'mail-idle': mailIdle,
  'mail-memory': mailMemory,
  'mail-rolling': mailRolling,
  'mail-slow': mailSlow,
  'mail-store': mailStore,
  'mail-upkeep': mailUpkeep,
  soak,
  machines,
  pgbouncer: pgBouncer,
  upgrade,
  majors,
  billing,
  install,
  random,
}
const wanted = process.argv.slice(2)
const chosen = Object.entries(scenarios).filter(([name]) => wanted.length === 0 || wanted.includes(name))
if (chosen.length === 0) {
  process.stderr.write(`Which run? One of: ${Object.keys(scenarios).join(', ')}\n`)
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
