export const ApiKeysScreen = () => null
