/** English words that say nothing about which Tool is meant. */
export const stopWords: ReadonlySet<string> = new Set(
  `a an the of to in on at for by with from and or is are was were be been it its this that these those as i me my we our us
  you your he she they them him her can could would should will shall do does did have has had what which who whom how when
  where why there here please want need some any if so not no about into than then also just let lets im am s t d ll re ve m
  like help tell give know`.split(/\s+/),
)
