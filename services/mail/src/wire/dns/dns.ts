export { DnsError } from './dns-error.ts'
export { canonicalName, reverseName } from './names.ts'
export { createResolver, type MxRecord, type Resolver, resolveForMailauth, type SrvRecord } from './resolver.ts'
