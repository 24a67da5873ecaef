/** What delivery asks the list of a domain. */
export { isBlocked } from './queries.ts'
