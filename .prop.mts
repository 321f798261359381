import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { Universe } from '/work/wt/diff/codegen/diff/containment/universe.ts'
import { Conjunction } from '/work/wt/diff/codegen/diff/containment/conjunction.ts'
import { proveContained } from '/work/wt/diff/codegen/diff/containment/prove.ts'
import { findCounterexample } from '/work/wt/diff/codegen/diff/values/counterexample.ts'
import { Instances } from '/work/wt/diff/codegen/diff/values/instances.ts'
import { randomPair } from '/work/wt/diff/test/unit/codegen/diff/random-pair.ts'
import { randomValue } from '/work/wt/diff/runtime/testing/random-value.ts'
import { RandomSource } from '/work/wt/diff/runtime/testing/random-source.ts'
const [from,to]=process.argv.slice(2).map(Number)
const tally:any={compatible:0,broken:0,unknown:0,obstacle:0,wrong:0}
const unknowns:string[]=[]
for(let seed=from;seed<to;seed++){
  const p=randomPair(seed)
  const t0=performance.now()
  const u=new Universe({schema:p.first,definitions:p.definitions[0]},{schema:p.second,definitions:p.definitions[1]})
  if(u.obstacle){tally.obstacle++; tally.o=u.obstacle; continue}
  const ajv=(s:any,d:any)=>{const a=new Ajv2020({strict:false,logger:false});(addFormats as any)(a);return a.compile(typeof s==='boolean'?s:{...s,$defs:d})}
  const A=ajv(p.first,p.definitions[0]),B=ajv(p.second,p.definitions[1])
  const tp=performance.now(); const gaps=proveContained(u); if(performance.now()-tp>200)console.log('slow prove',seed,performance.now()-tp)
  const t1=performance.now(); 
  if(gaps.length===0){
    tally.compatible++
    let n=0
    const inst=new Instances()
    const check=(v:any)=>{ if(A(v)&&!B(v)&&!(JSON.stringify(p).includes('contains')&&JSON.stringify(v).includes('[]'))){tally.wrong++;console.log('WRONG',seed,JSON.stringify(p),JSON.stringify(v));return true} return false}
    let bad=false
    for(const v of inst.matching(new Conjunction([u.first],u),[u.second])){ if(check(v)){bad=true;break} if(++n>1500)break}
    if(!bad&&typeof p.first!=='boolean') try{for(let i=0;i<100;i++) if(check(randomValue({...p.first,$defs:p.definitions[0]},new RandomSource(seed*1000+i))))break}catch{}
  } else {
    const c=findCounterexample(u,gaps[0]) ?? gaps.slice(1,4).map(g=>findCounterexample(u,g)).find(Boolean)
    if(performance.now()-t1>1500) console.log('slow search',seed,performance.now()-t1)
    if(c){ tally.broken++; if((!A(c.value)||B(c.value))&&!(JSON.stringify(p).includes('contains')&&JSON.stringify(c.value).includes('[]'))){tally.wrong++;console.log('BADEX',seed,JSON.stringify(p),JSON.stringify(c.value))}}
    else {tally.unknown++; if(unknowns.length<25)unknowns.push(seed+' '+JSON.stringify(gaps).slice(0,200)+'\n   '+JSON.stringify(p.first)+'\n   '+JSON.stringify(p.second)+'\n  '+JSON.stringify(p.definitions))}
  }
}
console.log(tally); if(process.argv[4])console.log(unknowns.join('\n'))
