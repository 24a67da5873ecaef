export { changeVacation, listVacations, readVacation, type Vacation } from './operations.ts'
export { vacationScript } from './script.ts'
