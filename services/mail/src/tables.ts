import type { AccountsTables } from './tables/accounts.ts'
import type { HostingTables } from './tables/hosting.ts'
import type { ReceivingTables } from './tables/receiving.ts'
import type { SendingTables } from './tables/sending.ts'
import type { StoreTables } from './tables/store.ts'

/** One type per table, as `migrations/` made them. */
export type Tables = AccountsTables & HostingTables & StoreTables & ReceivingTables & SendingTables
