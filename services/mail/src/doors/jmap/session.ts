import { hash } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { MailboxAccess } from '../../hosting/shares/shares.ts'
import type { SignIn } from '../../principal.ts'
import { accountCapabilities, serverCapabilities } from './capabilities.ts'
import type { Args } from './method.ts'

/** The session resource (RFC 8620 §2), without its state. */
export const sessionOf = (config: Config, { address }: SignIn, accesses: readonly MailboxAccess[]): Args => {
  const base = config.publicUrl.replace(/\/+$/, '')
  const own = accountCapabilities(config, { viewerId: null, mayManage: true })
  return {
    capabilities: serverCapabilities(config),
    accounts: Object.fromEntries(
      accesses.map((access) => [
        access.addressId,
        {
          name: access.email,
          isPersonal: access.viewerId === null,
          isReadOnly: !access.mayWrite,
          accountCapabilities: accountCapabilities(config, access),
        },
      ]),
    ),
    primaryAccounts: Object.fromEntries(Object.keys(own).map((capability) => [capability, address.id])),
    username: address.email,
    apiUrl: `${base}/jmap`,
    downloadUrl: `${base}/jmap/download/{accountId}/{blobId}/{name}?type={type}`,
    uploadUrl: `${base}/jmap/upload/{accountId}`,
    eventSourceUrl: `${base}/jmap/eventsource?types={types}&closeafter={closeafter}&ping={ping}`,
  }
}

/** Another one whenever the session resource is. Everything else in it is of this process's configuration. */
export const sessionState = (config: Config, { address }: SignIn, accesses: readonly MailboxAccess[]): string =>
  hash(
    'sha256',
    JSON.stringify([
      config.publicUrl,
      config.maxMessageBytes,
      address.email,
      accesses.map(({ addressId, email, mayWrite, mayManage }) => [addressId, email, mayWrite, mayManage]),
    ]),
    'hex',
  ).slice(0, 24)
