export { detectProvider } from './provider.ts'
export { publishRecords } from './publish.ts'
