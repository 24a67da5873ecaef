/** What scripts remember between messages: whom a vacation notice went to, which message was seen. */
export { forgetExpired, isRemembered, remember, rememberLonger } from './queries.ts'
