export { isPlanLimit, type PlanLimit, PlanLimitHint, usePlanLimit } from '../plan-limit.tsx'
