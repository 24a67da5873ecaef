import type { Generated } from 'kysely'
import type { HealthCheck } from './health.ts'

/** Row types of `tables.sql`, to be joined into a service's own table types. */
export type HealthTables = {
  health_report: {
    is_only: Generated<boolean>
    checked_at: Date | null
    checks: Generated<HealthCheck[]>
    requested_at: Date | null
  }
  health_machine: { machine: string; roles: string; writer: string; checked_at: Date; checks: HealthCheck[] }
}
