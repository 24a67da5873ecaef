/** When a domain is looked at: from its creation on, and sooner after something was published. */
export { hastenCheck, insertCheck } from './queries.ts'
