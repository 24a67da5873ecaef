export { pageOf } from './in-memory.ts'
export { type Page, readPage } from './pages.ts'
export { contains } from './search.ts'
