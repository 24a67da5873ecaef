import type { Address, AddressFolder } from '@stoa/mail-model/addresses.ts'
import type { AppPassword } from '@stoa/mail-model/app-passwords.ts'
import type { Folder } from '../../store/store.ts'
import type { AppPassword as AppPasswordRow } from './app-passwords.ts'
import type { AddressView } from './view-queries.ts'

/** An address as its customer sees it. */
export const addressJson = (row: AddressView): Address => ({
  object: 'address',
  id: row.id,
  domain_id: row.domain_id,
  email: row.email,
  local_part: row.local_part,
  name: row.name,
  enabled: row.enabled,
  send_enabled: row.send_enabled,
  quota_bytes: row.quota_bytes,
  used_bytes: row.used_bytes,
  messages_count: row.message_count,
  aliases: row.aliases,
  forward_to: row.forward_to,
  keep_copy: row.keep_copy,
  recovery_email: row.recovery_email,
  spam_threshold: row.spam_threshold,
  digest: row.digest,
  require_app_password: row.require_app_password,
  last_login_at: row.last_login_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

export const folderJson = (folder: Folder): AddressFolder => ({
  object: 'folder',
  id: folder.id,
  name: folder.name,
  path: folder.path,
  role: folder.role,
  total: folder.total,
  unread: folder.unread,
  size_bytes: folder.sizeBytes,
})

export const appPasswordJson = (row: AppPasswordRow): AppPassword => ({
  object: 'app_password',
  id: row.id,
  address_id: row.address_id,
  name: row.name,
  scopes: row.scopes,
  token_prefix: row.token_prefix,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  last_used_ip: row.last_used_ip,
  expires_at: row.expires_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})
