import { useSyncExternalStore } from 'react'
import type { History } from './undo-history.ts'
import type { UndoStack } from './undo-stack.ts'

export const useHistory = ({ subscribe, history }: UndoStack): History => useSyncExternalStore(subscribe, history)
