import type { AcmeTables } from '@stoa/kit/acme/tables.ts'
import type { HealthTables } from '@stoa/kit/health/tables.ts'
import type { WebhookTables } from '@stoa/kit/webhooks/tables.ts'
import type { AccountsTables } from './tables/accounts.ts'
import type { BillingTables } from './tables/billing.ts'
import type { DnsTables } from './tables/dns.ts'
import type { EmailsTables } from './tables/emails.ts'
import type { ExportsTables } from './tables/exports.ts'
import type { HostingTables } from './tables/hosting.ts'
import type { IdentitiesTables } from './tables/identities.ts'
import type { KeysTables } from './tables/keys.ts'
import type { MetadataTables } from './tables/metadata.ts'
import type { PanelAccountsTables } from './tables/panel-accounts.ts'
import type { PushTables } from './tables/push.ts'
import type { ReceivingTables } from './tables/receiving.ts'
import type { RecentTables } from './tables/recent.ts'
import type { SendingTables } from './tables/sending.ts'
import type { SharesTables } from './tables/shares.ts'
import type { StoreTables } from './tables/store.ts'
import type { TransfersTables } from './tables/transfers.ts'
import type { WebmailTables } from './tables/webmail.ts'

/** One type per table, as `migrations/` made them. */
export type Tables = AccountsTables &
  AcmeTables &
  BillingTables &
  PanelAccountsTables &
  DnsTables &
  EmailsTables &
  ExportsTables &
  HealthTables &
  HostingTables &
  IdentitiesTables &
  KeysTables &
  StoreTables &
  MetadataTables &
  SharesTables &
  PushTables &
  ReceivingTables &
  RecentTables &
  SendingTables &
  TransfersTables &
  WebhookTables &
  WebmailTables
