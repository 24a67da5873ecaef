export {
  createIdentity,
  deleteIdentity,
  findIdentity,
  type Identity,
  type IdentityChange,
  listIdentities,
  updateIdentity,
} from './operations.ts'
export { IdentityRefusal, type IdentityRefusalKind } from './refusal.ts'
