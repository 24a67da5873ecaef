export { emailHooks } from './events.ts'
