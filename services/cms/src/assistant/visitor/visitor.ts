export { forgetTypeOfVisitors } from './settings.ts'
export { openVisitor, type VisitorState } from './state.ts'
export { visitorSurfaces } from './surfaces.ts'
