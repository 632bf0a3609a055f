/// How a contact sheet looks: the content of its one style element.
enum SheetStyle {
  /// The base64 form of the SHA-256 of ``text``, for the page's Content-Security-Policy; a test compares both.
  static let digest = "rnKlANC2GqDhEYMT6v0GEGWcENe/54CTQ6MkVhdfPOI="

  static let text = """
    :root{color-scheme:light dark;--paper:#f7f6f3;--ink:#1c1c1e;--dim:#67666c;--mat:#ebe9e4;\
    --line:#d9d6cf;--accent:#0a5bc4;font:100%/1.45 system-ui,sans-serif}
    @media (prefers-color-scheme:dark){:root{--paper:#131315;--ink:#ededee;--dim:#a2a2a9;\
    --mat:#202023;--line:#34343a;--accent:#7db8ff}}
    *{box-sizing:border-box}
    html{scroll-padding-top:4rem}
    @media (prefers-reduced-motion:no-preference){.frame{transition:background-color .15s}}
    body{margin:0;background:var(--paper);color:var(--ink)}
    header,main,footer{max-width:112rem;margin:0 auto;padding:0 clamp(.75rem,3vw,2.5rem)}
    header{padding-top:clamp(1.25rem,4vw,2.75rem)}
    h1{margin:0;font-size:clamp(1.6rem,4vw,2.25rem);font-weight:650;letter-spacing:-.02em;\
    line-height:1.15}
    header p{margin:.3rem 0 0;color:var(--dim)}
    a{color:var(--accent)}
    :focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:4px}
    main:focus{outline:none}
    .skip,.spoken{position:absolute;left:-999rem}
    .skip:focus{left:.75rem;top:.75rem;z-index:3;padding:.5rem 1rem;background:var(--paper);\
    border:1px solid var(--line);border-radius:8px}
    nav{margin-top:1rem}
    summary{display:inline-block;padding:.35rem .8rem;border:1px solid var(--line);\
    border-radius:99px;cursor:pointer;font-size:.9rem}
    summary::after{content:" ▾";color:var(--dim)}
    details[open] summary::after{content:" ▴"}
    dl{display:grid;grid-template-columns:max-content 1fr;gap:.35rem 1.25rem;margin:.9rem 0 0;\
    font-size:.9rem}
    dt{font-weight:600}
    dd{margin:0}
    dd a{display:inline-block;margin-right:.8rem}
    small{font-size:.8em;font-weight:400;color:var(--dim);font-variant-numeric:tabular-nums}
    h2{position:sticky;top:0;z-index:2;margin:0 -.5rem;padding:.9rem .5rem .6rem;\
    background:var(--paper);font-size:1.1rem;font-weight:650;letter-spacing:-.01em}
    h2 small{margin-left:.35rem}
    main{padding-top:1.25rem}
    main ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(10.5rem,44%),1fr));\
    gap:1.1rem clamp(.6rem,1.2vw,1.1rem);margin:0 0 1.75rem;padding:0;list-style:none}
    main li{min-width:0;content-visibility:auto;contain-intrinsic-size:auto 15rem}
    main li a{display:block;color:inherit;text-decoration:none}
    main li a:focus-visible{outline-offset:2px;border-radius:10px}
    .frame{position:relative;display:block;aspect-ratio:1;overflow:hidden;background:var(--mat);\
    border-radius:10px}
    a:hover .frame{background:var(--line)}
    a:hover .name{text-decoration:underline}
    .frame img{position:absolute;inset:7%;width:86%;height:86%;object-fit:scale-down}
    .gap{display:grid;place-items:center;padding:1rem;background:none;\
    border:2px dashed var(--line);text-align:center;font-size:.75rem;color:var(--dim)}
    .gap strong{display:block;margin-bottom:.2rem;font-size:.85rem;color:var(--ink)}
    .badges{position:absolute;inset:.4rem;display:flex;flex-wrap:wrap;align-content:flex-start;\
    gap:.25rem;pointer-events:none}
    .badges b{padding:.1rem .45rem;background:rgb(0 0 0/.68);color:#fff;border-radius:99px;\
    font-size:.68rem;font-weight:600;line-height:1.45}
    .badges .length{position:absolute;right:0;bottom:0;font-variant-numeric:tabular-nums}
    .name{display:-webkit-box;margin:.45rem .15rem 0;overflow:hidden;overflow-wrap:anywhere;\
    -webkit-box-orient:vertical;-webkit-line-clamp:2;font-size:.82rem;line-height:1.3}
    time{display:block;margin:.1rem .15rem 0;font-size:.76rem;color:var(--dim);\
    font-variant-numeric:tabular-nums}
    .frame video{position:absolute;inset:0;width:100%;height:100%;object-fit:contain}
    .plays .length{position:static}
    main li>small,.copies{display:block;margin:.1rem .15rem 0;font-size:.76rem;color:var(--dim)}
    main li>small a{display:inline}
    .copies summary{font-size:inherit}
    .copies a{margin-top:.3rem;overflow-wrap:anywhere}
    main li .copies a,main li small a{color:var(--accent);text-decoration:underline}
    footer{padding-bottom:2.5rem;color:var(--dim);font-size:.9rem}
    footer section{border-top:1px solid var(--line)}
    footer h2{position:static;color:var(--ink)}
    footer ul{margin:0;padding-left:1.25rem}
    @media print{h2{position:static}main li{break-inside:avoid;content-visibility:visible}nav{display:none}}
    """
}
