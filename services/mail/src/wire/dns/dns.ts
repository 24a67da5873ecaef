export { DnsError } from './dns-error.ts'
export { canonicalName } from './names.ts'
export { createResolver, type MxRecord, type Resolver, type SrvRecord } from './resolver.ts'
