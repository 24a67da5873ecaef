export { spelledPath } from './paths.ts'
