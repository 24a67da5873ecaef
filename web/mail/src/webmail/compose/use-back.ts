import { type RouterHistory, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

const MARK = 'isWriting'

const isMarked = (state: unknown): boolean => typeof state === 'object' && state !== null && Reflect.has(state, MARK)

/**
 * While a window covers the screen, Back is about the window: it has an entry of its own in the history, with the address
 * of the screen below. A window that goes by itself takes its entry along.
 */
export const useBack = (isOpen: boolean, onBack: () => void): void => {
  const history: RouterHistory = useRouter().history
  useEffect(() => {
    const isHere = isMarked(history.location.state)
    if (isOpen && !isHere) history.push(history.location.href, { [MARK]: true }, { ignoreBlocker: true })
    if (!isOpen && isHere) history.back({ ignoreBlocker: true })
  }, [history, isOpen])
  useEffect(() => {
    if (!isOpen) return
    return history.subscribe(({ location, action }) => {
      if (action.type === 'BACK' && !isMarked(location.state)) onBack()
    })
  }, [history, isOpen, onBack])
}
