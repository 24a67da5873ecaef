export const RecoverScreen = () => null
