export { writeAnswer } from './answer.ts'
export { MAX_CALENDAR_LENGTH } from './components.ts'
export { type Attendee, type Invitation, readInvitation } from './invitation.ts'
