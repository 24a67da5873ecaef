export { createAppPassword, deleteAppPassword, listAppPasswords } from './app-passwords.ts'
export type { AppPassword } from './app-passwords-queries.ts'
export { type CredentialAnswer, type Credentials, stampOf } from './credentials.ts'
export { recordAddressDeletions, recordAddressEvent } from './events.ts'
export { createKnownRoutes, type KnownRoutes } from './known-routes.ts'
export type { LiveSignIns } from './live.ts'
export {
  changeAddressPassword,
  createAddress,
  deleteAddress,
  hashAddressPassword,
} from './operations.ts'
export { getAddress, loadAddress } from './panel.ts'
export { findAddress, findAddressByEmail, listAliases, updateDigest } from './queries.ts'
export { findPreviousRecovery } from './recovery-change.ts'
export { mayWriteAs, type Route, resolveRecipient } from './routing.ts'
export { appPasswordJson } from './schema.ts'
export { restorableUntil, tombstoneAddresses } from './tombstones.ts'
