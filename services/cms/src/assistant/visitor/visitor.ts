export { forgetTypeOfVisitors } from './settings.ts'
export { openVisitor } from './state.ts'
export { visitorSurfaces } from './surfaces.ts'
