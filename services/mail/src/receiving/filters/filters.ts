export { sieveMessageOf } from './bridge.ts'
export {
  activateScript,
  type ClientScript,
  checkScript,
  checkScriptName,
  checkSpace,
  createScript,
  deleteScript,
  listScripts,
  MAX_NAME_BYTES,
  MAX_SCRIPT_BYTES,
  MAX_SCRIPTS,
  putScript,
  readScript,
  refuseScript,
  ScriptRefusal,
  type ScriptRefusalKind,
  updateScript,
} from './client-scripts.ts'
export { applyEdits, isUntouched } from './edits.ts'
export { encodeHeaderText } from './header-encoding.ts'
export { addFilter, changeFilter, filterJson, getFilters, loadFilter, removeFilter, validateFilter } from './panel.ts'
export { type ActiveScript, forgetExpired, isRemembered, remember, rememberLonger } from './queries.ts'
export { type FilterResult, runFilters, type SeenMark } from './run.ts'
export { createScriptCache, readyScripts, type ScriptCache } from './scripts.ts'
export { keywordsOfFlags, roleOfUse } from './special-use.ts'
export { textPart } from './text-part.ts'
