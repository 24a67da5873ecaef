import type { Database, Tx } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { AnyDb } from './database-checks.ts'
import { type CheckDefinition, type HealthCheck, runChecks } from './health.ts'
import {
  checksOfMachine,
  listMachines,
  MACHINES,
  type MachineKey,
  type MachineReport,
  updateMachine,
  withMachines,
} from './machines.ts'

export type HealthReport = { checkedAt: Date; checks: HealthCheck[] }

/** Looks at everything, and at this machine, and keeps what was found, for all processes. */
export const takeReport = async <T>(
  definitions: readonly CheckDefinition[],
  { tx, log, now, key }: { tx: Database<T>['tx']; log: Log; now: Date; key: MachineKey },
): Promise<HealthReport> => {
  const report = { checkedAt: now, checks: await runChecks(definitions, { log }) }
  const own = { ...key, checks: checksOfMachine(definitions, report.checks) }
  const machines = await tx(async (opened) => {
    await putReport(opened, report)
    await updateMachine(opened, own)
    return listMachines(opened)
  })
  const others = machines.filter(({ machine, roles }) => machine !== key.machine || roles !== key.roles)
  return { ...report, checks: withMachines(report.checks, [{ ...own, age: 0 }, ...others]) }
}

/** The last look, with what all machines found at themselves; undefined before the first one. */
export const findReport = async (db: AnyDb): Promise<HealthReport | undefined> => {
  const [row] = await db.query<HealthReport & { machines: MachineReport[] }>({
    text: `select checked_at as "checkedAt", checks, ${MACHINES} as machines from health_report where checked_at is not null`,
  })
  return row && { checkedAt: row.checkedAt, checks: withMachines(row.checks, row.machines) }
}

const putReport = async <T>(tx: Tx<T>, { checkedAt, checks }: HealthReport): Promise<void> => {
  await tx.query({
    text: `insert into health_report (checked_at, checks) values ($1, $2)
           on conflict (is_only) do update set checked_at = excluded.checked_at, checks = excluded.checks`,
    values: [checkedAt, JSON.stringify(checks)],
  })
}

/** People may ask for a look this often; looks at other servers must not become a burden to them. */
const PAUSE_MS = 60_000

/** Null when a look may begin, else after how many seconds. Of those who ask at the same moment, one may. */
export const claimLook = async <T>(tx: Tx<T>, now: Date): Promise<number | null> => {
  const taken = await tx.query({
    text: `insert into health_report as report (requested_at) values ($1)
           on conflict (is_only) do update set requested_at = excluded.requested_at
           where report.requested_at is null or report.requested_at <= $2
           returning 1`,
    values: [now, new Date(now.getTime() - PAUSE_MS)],
  })
  if (taken.length > 0) return null
  const [row] = await tx.query<{ requestedAt: Date }>({
    text: 'select requested_at as "requestedAt" from health_report',
  })
  const waited = row ? now.getTime() - row.requestedAt.getTime() : 0
  return Math.max(1, Math.ceil((PAUSE_MS - waited) / 1_000))
}
